import type { StoreLog } from './client-options.ts';

/**
 * Logs what lowers the rate. It goes up and down all the time, so only what halves it is worth a line at `info`; the rest
 * is at `debug`.
 */
export function createRateLog(log: StoreLog): (from: number, to: number) => void {
  let logged = Number.POSITIVE_INFINITY;
  return (from, to) => {
    const fields = { from: Number(from.toPrecision(3)), to: Number(to.toPrecision(3)) };
    const message = 'The store refused requests (429): sending fewer a second.';
    if (to > logged / 2) log.debug(() => fields, message);
    else {
      logged = to;
      log.info(fields, message);
    }
  };
}
