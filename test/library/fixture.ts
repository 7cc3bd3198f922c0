import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';

/** A sandbox and an empty folder, both new for each test. */
export function libraryForEachTest(options: SandboxOptions = {}) {
  let sandbox: Sandbox;
  let folder: string;
  beforeEach(async () => {
    sandbox = await startSandbox(options);
    folder = mkdtempSync(join(tmpdir(), 'storeport-library-'));
  });
  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  return {
    get sandbox() {
      return sandbox;
    },
    get folder() {
      return folder;
    },
    /** Options of an import of products into the sandbox. */
    options: () => ({
      resource: 'products' as const,
      store: { baseUrl: sandbox.url, clientId: sandbox.clientId, clientSecret: sandbox.clientSecret },
      home: join(folder, 'home'),
    }),
  };
}
