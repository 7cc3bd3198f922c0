import type { ImageAddress } from './address.ts';
import { openAddressTable } from './address-table.ts';
import { createAskImage } from './ask.ts';
import { type CheckedAddresses, checkAddresses, type ImageProgress } from './check-addresses.ts';
import { createImageFetcher } from './exchange.ts';
import { createHostGate } from './host-gate.ts';
import { openRememberedImages } from './remembered.ts';
import { createFaultFile, type ImageFaultFile } from './verdict-file.ts';

/** The options of a check that users give. */
export interface ImageCheckOptions {
  /** Requests a second for each host. */
  readonly rate: number;
  /** The largest image, in bytes. */
  readonly mostBytes: number;
  /** Milliseconds for which an address that was fine is not asked again. */
  readonly maxAgeMs: number;
  /** True if images may be at private addresses, which are not asked otherwise. */
  readonly allowsPrivate: boolean;
  /** Milliseconds for one request with its redirects. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Names the proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface OpenImageCheckOptions extends ImageCheckOptions {
  /** Folder of the ledger, which exists. */
  readonly home: string;
  /** Folder for the list of addresses. */
  readonly folder: string;
  readonly onWarning: (message: string) => void;
  readonly interrupted: AbortSignal;
}

/** A check of the images of all files: addresses are added first, and then asked. */
export interface OpenImageCheck {
  readonly progress: ImageProgress;
  add(address: ImageAddress): void;
  /** Asks for all addresses, each once. Its result is incomplete if the user interrupts. Throws RunStopped. */
  ask(): Promise<CheckedAddresses>;
  /** The verdicts, as long as nobody has removed the file. */
  readonly faults: ImageFaultFile;
  /** Closes all but the file of verdicts. */
  close(): Promise<void>;
}

/** Requests in flight for each host. */
const MOST_OF_HOST = 8;
const CONNECT_TIMEOUT_MS = 10_000;

/** Throws ConfigError or RunStopped if the check cannot begin. */
export async function openImageCheck(options: OpenImageCheckOptions): Promise<OpenImageCheck> {
  const { home, folder, rate, mostBytes, maxAgeMs, timeoutMs, interrupted, userAgent, environment } = options;
  const { allowsPrivate } = options;
  // Loaded here: a command without this check needs no client.
  const { ANY_ADDRESS, createSleeper, openConnections, proxyFor, publicAddresses, retryDelay } = await import(
    '../store/index.ts'
  );
  const wallNow = () => Date.now();
  const now = () => performance.now();
  const { sleep, wakeAll } = createSleeper();
  const progress: { all: number | undefined; done: number } = { all: undefined, done: 0 };
  const faults = createFaultFile(home);
  const table = orRemove(faults, () => openAddressTable(folder));
  const remembered = openRememberedImages({
    ...{ home, maxAgeMs, mostBytes, allowsPrivate, wallNow, onLost: options.onWarning },
  });
  const gate = createHostGate({ rate, most: MOST_OF_HOST, now, sleep });
  const fetcher = createImageFetcher({
    ...{ openConnections, userAgent, mostBytes, most: MOST_OF_HOST },
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    proxyFor: (origin) => proxyFor(origin, environment),
    guard: allowsPrivate ? ANY_ADDRESS : publicAddresses(),
  });
  const ask = createAskImage({
    ...{ fetcher, gate, timeoutMs, mostBytes, now, sleep },
    retryDelay: (attempt, headers) => retryDelay(attempt, headers, { wallNow, random: Math.random }),
  });
  const stop = () => {
    gate.stop();
    wakeAll();
    void fetcher.close();
  };
  interrupted.addEventListener('abort', stop);
  return {
    progress,
    faults,
    add: (address) => {
      table.add(address, remembered.isFine(address.digest));
    },
    async ask() {
      const { all, fine } = table.finish();
      progress.all = all;
      progress.done = fine;
      return checkAddresses({
        ...{ table, ask, remembered, faults, interrupted },
        mostOfHost: MOST_OF_HOST,
        counted: { all, fine },
        onDone: (done) => {
          progress.done = done;
        },
      });
    },
    async close() {
      interrupted.removeEventListener('abort', stop);
      gate.stop();
      await fetcher.close();
      table.close();
      remembered.close();
    },
  };
}

function orRemove<Result>(faults: ImageFaultFile, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    faults.remove();
    throw error;
  }
}
