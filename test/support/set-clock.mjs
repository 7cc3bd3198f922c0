// Loaded before the real binary with NODE_OPTIONS=--import. Sets the wall clock during a run, as an
// administrator or a time service does. The monotonic clock and all timers continue. CLOCK_PLAN has the plan,
// see set-clock.ts.
import diagnostics from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const { shifts, trace } = JSON.parse(process.env.CLOCK_PLAN ?? '{"shifts":{}}');
const RealDate = Date;
let shiftMs = 0;
let requests = 0;

const now = () => RealDate.now() + shiftMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

diagnostics.subscribe('undici:client:sendHeaders', () => {
  requests += 1;
  const ms = shifts[requests];
  if (ms === undefined) return;
  shiftMs += ms;
  appendFileSync(trace, `${ms}\n`);
});
