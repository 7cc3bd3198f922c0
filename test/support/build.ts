import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests of the command line run the real binary: it is built once, before all of them. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
