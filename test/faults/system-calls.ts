import type { Moment } from './plan.ts';

/** System calls for strace to trace: writes and syncs of files, and all calls that can write to a socket. */
export const TRACED = 'fdatasync,pwrite64,write,writev,sendto,sendmsg';

/**
 * Moments of a process, from the output of `strace -f -y`. A call that another thread interrupts has two lines:
 * its begin and its end.
 */
export function momentsOf(trace: string): Moment[] {
  const underWay = new Map<string, string>();
  const moments: Moment[] = [];
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(text);
    if (resumed) {
      moments.push(...ended(`${underWay.get(thread) ?? ''}${resumed[1]}`));
      underWay.delete(thread);
    } else if (unfinished) {
      underWay.set(thread, unfinished[1] ?? '');
      moments.push(...began(unfinished[1] ?? ''));
    } else moments.push(...began(text), ...ended(text));
  }
  return moments;
}

const LOG = /^(pwrite64|fdatasync)\((\d+)<[^>]*\.log>/;

function began(call: string): Moment[] {
  const [, name, descriptor] = LOG.exec(call) ?? [];
  if (name === 'fdatasync') return [{ what: 'syncs', descriptor: Number(descriptor) }];
  if (call.includes('POST /api/products/create')) return [{ what: 'sends', text: unquoted(call) }];
  return [];
}

function ended(call: string): Moment[] {
  const [, name, descriptor] = LOG.exec(call) ?? [];
  if (name === 'pwrite64') return [{ what: 'written', text: unquoted(call) }];
  if (name === 'fdatasync')
    return [{ what: / = 0$/.test(call) ? 'synced' : 'sync failed', descriptor: Number(descriptor) }];
  return [];
}

function unquoted(text: string): string {
  return text.replaceAll('\\"', '"');
}
