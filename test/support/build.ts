import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the binary once before all tests, since tests of the command line run it. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
