import { afterEach, describe, expect, test } from 'vitest';
import { imageAddress } from '../../src/images/address.ts';
import { openAddressTable } from '../../src/images/address-table.ts';
import { checkAddresses } from '../../src/images/check-addresses.ts';
import type { ImageFinding } from '../../src/images/judge.ts';
import type { FineImage } from '../../src/images/remembered.ts';
import { temporaryFolder } from '../support/run.ts';

const OK: ImageFinding = { verdict: 'ok', found: '', size: 10 };
const DEAD: ImageFinding = { verdict: 'dead', found: 'its server answered with 404' };
const SILENT: ImageFinding = { verdict: 'dead', found: 'its server refuses connections', isUnanswered: true };
const TROUBLE: ImageFinding = { verdict: 'unknown', found: 'its server answered with 500' };

const tables: { close(): void }[] = [];
afterEach(() => {
  for (const table of tables.splice(0)) table.close();
});

/** Checks addresses with answers that need no network. */
async function check(
  addresses: readonly string[],
  answer: (href: string) => ImageFinding | Promise<ImageFinding>,
  { fine = [] as readonly string[], interrupted = new AbortController().signal } = {},
) {
  const table = openAddressTable(temporaryFolder());
  tables.push(table);
  for (const text of addresses) {
    const address = imageAddress(text);
    if (address) table.add(address, fine.includes(text));
  }
  const asked: string[] = [];
  const running = new Map<string, number>();
  let mostRunning = 0;
  const remembered: FineImage[] = [];
  const faults: { verdict: string; found: string }[] = [];
  const result = await checkAddresses({
    table,
    counted: table.finish(),
    async ask(href) {
      asked.push(href);
      const { host } = new URL(href);
      running.set(host, (running.get(host) ?? 0) + 1);
      mostRunning = Math.max(mostRunning, running.get(host) ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
      running.set(host, (running.get(host) ?? 1) - 1);
      return answer(href);
    },
    remembered: { add: (images) => void remembered.push(...images) },
    faults: { add: (some) => void faults.push(...some) },
    mostOfHost: 4,
    onDone: () => {},
    interrupted,
  });
  return { ...result, asked, mostRunning, remembered, faults };
}

const numbered = (count: number, origin = 'https://a.example') =>
  Array.from({ length: count }, (_, index) => `${origin}/${index}.jpg`);

test('each address is asked for once, however many records name it', async () => {
  const addresses = numbered(300);
  const { asked, counts } = await check([...addresses, ...addresses, ...addresses.toReversed()], () => OK);
  expect(asked.toSorted()).toEqual(addresses.toSorted());
  expect(counts).toMatchObject({ addresses: 300, remembered: 0, verdicts: { ok: 300, dead: 0 } });
});

test('addresses that were fine before are counted and not asked for', async () => {
  const addresses = numbered(10);
  const { asked, counts } = await check(addresses, () => DEAD, { fine: addresses.slice(0, 7) });
  expect(asked).toEqual(addresses.slice(7));
  expect(counts).toMatchObject({ addresses: 10, remembered: 7, verdicts: { ok: 7, dead: 3 } });
});

test('all hosts are asked, also if there are very many, with a limit for each', async () => {
  const addresses = Array.from({ length: 200 }, (_, index) =>
    numbered(3, `https://h${index}.example`),
  ).flat();
  const { asked, mostRunning } = await check([...addresses, ...numbered(100)], () => OK);
  expect(asked).toHaveLength(700);
  expect(mostRunning).toBe(4);
});

test('fine images are remembered with their sizes, and all others are in the file of verdicts', async () => {
  const { remembered, faults, examples } = await check(numbered(450), (href) =>
    href.endsWith('7.jpg') ? DEAD : OK,
  );
  expect(remembered).toHaveLength(405);
  expect(remembered[0]?.size).toBe(10);
  expect(faults).toHaveLength(45);
  expect(examples).toHaveLength(3);
  expect(examples[0]).toMatchObject({ verdict: 'dead', found: DEAD.found });
});

describe('a host that never answers', () => {
  test('is not asked for the rest of its addresses, which are dead as well', async () => {
    const { asked, counts, faults } = await check(numbered(1000), () => SILENT);
    expect(asked.length).toBeGreaterThanOrEqual(24);
    expect(asked.length).toBeLessThan(40);
    expect(counts.verdicts.dead).toBe(1000);
    expect(faults.at(-1)?.found).toContain('as for 24 others in a row, so this one was not asked');
  });

  test('does not keep other hosts from being asked', async () => {
    const good = numbered(200, 'https://b.example');
    const { counts } = await check([...numbered(1000), ...good], (href) =>
      href.includes('a.example') ? SILENT : OK,
    );
    expect(counts.verdicts).toMatchObject({ ok: 200, dead: 1000 });
  });

  test('leaves the rest unknown if it has answered before', async () => {
    let answers = 0;
    const { asked, counts } = await check(numbered(500), () => (answers++ < 10 ? OK : SILENT));
    expect(asked.length).toBeLessThan(60);
    expect(counts.verdicts.ok).toBe(10);
    expect(counts.verdicts.unknown).toBeGreaterThan(400);
  });
});

test('a server with nothing but trouble is not asked for the rest', async () => {
  const { asked, counts } = await check(numbered(500), () => TROUBLE);
  expect(asked.length).toBeLessThan(40);
  expect(counts.verdicts.unknown).toBe(500);
});

test('dead images of a server that answers are all asked for', async () => {
  const { asked, counts } = await check(numbered(500), () => DEAD);
  expect([asked.length, counts.verdicts.dead]).toEqual([500, 500]);
});

test('an interrupted check asks for nothing more', async () => {
  const controller = new AbortController();
  const { asked } = await check(
    numbered(1000),
    (href) => {
      if (href.endsWith('/9.jpg')) controller.abort();
      return OK;
    },
    { interrupted: controller.signal },
  );
  expect(asked.length).toBeLessThan(20);
});

test('an error that is not about an image ends the check', async () => {
  const failed = check(numbered(100), () => Promise.reject(new Error('the proxy setting is wrong')));
  await expect(failed).rejects.toThrow('the proxy setting is wrong');
});
