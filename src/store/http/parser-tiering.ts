import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

/**
 * Bytes of WebAssembly that a function executes before V8 optimises it. undici's parser then lasts some five thousand
 * answers before that.
 */
const BUDGET = 1_000_000_000;
/** V8's own, in Node 20 and in later versions. */
const DEFAULT_BUDGETS = [1_800_000, 13_000_000];

let isCompiled = false;

/**
 * Calls `connected`, which compiles undici's parser if it is the first connection. With its default budget V8 optimises
 * the parser in a thread after ten answers. That costs 0.1 s of CPU time, as much as it saves in twenty thousand answers.
 *
 * The flag is changed only during the call: V8 refuses compiled code that was kept under other flags, and Node then loads
 * its own modules three times slower. The tag depends on all flags, so it shows which default was in force.
 */
export function withLateTierUp(connected: () => void): void {
  if (isCompiled) {
    connected();
    return;
  }
  isCompiled = true;
  const tag = cachedDataVersionTag();
  setBudget(BUDGET);
  try {
    connected();
  } finally {
    for (const budget of DEFAULT_BUDGETS) {
      setBudget(budget);
      if (cachedDataVersionTag() === tag) break;
    }
  }
}

function setBudget(bytes: number): void {
  setFlagsFromString(`--wasm-tiering-budget=${bytes}`);
}
