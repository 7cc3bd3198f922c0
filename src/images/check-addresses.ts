import { IMAGE_VERDICTS, type ImageCounts, type ImageVerdict } from '../model/index.ts';
import { shownAddress } from './address.ts';
import type { AddressTable, AddressToAsk, HostOfImages } from './address-table.ts';
import type { AskImage } from './ask.ts';
import type { ImageFinding } from './judge.ts';
import type { RememberedImages } from './remembered.ts';
import type { ImageFaultFile } from './verdict-file.ts';

/** Progress of a check of images. The object is updated as the check proceeds. */
export interface ImageProgress {
  /** Addresses in all files; undefined while the files are read. */
  readonly all: number | undefined;
  /** Addresses with a verdict. */
  readonly done: number;
}

export interface CheckAddressesOptions {
  /** It is finished. */
  readonly table: Pick<AddressTable, 'hosts' | 'addressesOf'>;
  /** Addresses in the table, and those of them that are fine by an earlier run. */
  readonly counted: ReturnType<AddressTable['finish']>;
  readonly ask: AskImage;
  readonly remembered: Pick<RememberedImages, 'add'>;
  readonly faults: Pick<ImageFaultFile, 'add'>;
  /** Addresses that are asked at once for each host. */
  readonly mostOfHost: number;
  /** Called with the number of addresses after each verdict. */
  readonly onDone: (done: number) => void;
  /** Ends the check. Its result is then incomplete. */
  readonly interrupted: AbortSignal;
}

/** Hosts that are asked at once. With `mostOfHost` for each, this limits the requests in flight. */
const MOST_HOSTS = 16;
const PAGE = 64;
/** Verdicts of one transaction. */
const BATCH = 200;

/**
 * Addresses of one host in a row without any answer, or with trouble only, until the others are not asked: 10,000 addresses
 * of a server that hangs would take hours.
 */
const MOST_IN_VAIN = 24;

interface AskedHost {
  readonly host: HostOfImages;
  page: readonly AddressToAsk[];
  /** Index in the page. */
  at: number;
  lastNumber: number;
  isExhausted: boolean;
  running: number;
  /** Addresses without a usable answer since the last one with it. */
  inVain: number;
  hasAnswered: boolean;
  /** The finding for the rest. */
  givenUp: ImageFinding | undefined;
}

type Judged = AddressToAsk & { readonly finding: ImageFinding };

/** The end of a check. */
export interface CheckedAddresses {
  readonly counts: ImageCounts;
  /** The first addresses of each verdict other than `ok`, for people. */
  readonly examples: readonly ImageExample[];
}

export interface ImageExample {
  readonly verdict: ImageVerdict;
  /** Without its query. */
  readonly address: string;
  readonly found: string;
}

const MOST_EXAMPLES = 3;

/** Asks for all addresses of a table. Counts those that are fine by an earlier run as well. */
export async function checkAddresses(options: CheckAddressesOptions): Promise<CheckedAddresses> {
  const { table, ask, remembered, faults, mostOfHost, onDone, interrupted } = options;
  const { all, fine } = options.counted;
  const counts = Object.fromEntries(IMAGE_VERDICTS.map((word) => [word, 0])) as Record<ImageVerdict, number>;
  counts.ok = fine;
  let done = fine;
  const examples: ImageExample[] = [];
  let judged: Judged[] = [];
  const active: AskedHost[] = [];
  let lastHost = 0;
  let areAllHosts = false;
  let running = 0;
  let wake: () => void = () => {};
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;

  function settle(address: AddressToAsk, finding: ImageFinding): void {
    const { verdict, found } = finding;
    counts[verdict]++;
    if (verdict !== 'ok' && counts[verdict] <= MOST_EXAMPLES)
      examples.push({ verdict, address: shownAddress(address.href), found });
    done++;
    onDone(done);
    judged.push({ ...address, finding });
    if (judged.length >= BATCH) flush();
  }

  function flush(): void {
    const [some, others] = [judged.filter(({ finding }) => finding.verdict === 'ok'), [...judged]];
    judged = [];
    if (some.length > 0) remembered.add(some.map(({ digest, finding: { size } }) => ({ digest, size })));
    faults.add(
      others.flatMap(({ digest, finding: { verdict, found } }) =>
        verdict === 'ok' ? [] : [{ digest, verdict, found }],
      ),
    );
  }

  function nextOf(asked: AskedHost): AddressToAsk | undefined {
    if (asked.at >= asked.page.length && !asked.isExhausted) {
      asked.page = table.addressesOf(asked.host.origin, asked.lastNumber, PAGE);
      asked.at = 0;
      asked.isExhausted = asked.page.length < PAGE;
      asked.lastNumber = asked.page.at(-1)?.number ?? asked.lastNumber;
    }
    return asked.page[asked.at++];
  }

  function addHosts(): void {
    if (areAllHosts || active.length >= MOST_HOSTS) return;
    const more = table.hosts(lastHost, MOST_HOSTS - active.length);
    lastHost = more.at(-1)?.number ?? lastHost;
    areAllHosts = more.length === 0;
    for (const host of more)
      active.push({
        ...{ host, page: [], at: 0, lastNumber: 0, isExhausted: false, running: 0 },
        ...{ inVain: 0, hasAnswered: false, givenUp: undefined },
      });
  }

  async function askOne(asked: AskedHost, address: AddressToAsk): Promise<void> {
    asked.running++;
    running++;
    try {
      const finding = await ask(address.href);
      // The files are closed after the end.
      if (interrupted.aborted || isOver) return;
      settle(address, finding);
      noteAnswer(asked, finding);
    } catch (error) {
      failure ??= { error };
    } finally {
      asked.running--;
      running--;
      wake();
    }
  }

  /** Begins as many requests as may be in flight. Returns false if there are none to begin. */
  function begin(): boolean {
    let isAny = false;
    for (const asked of [...active]) {
      for (let begun = 0; begun < PAGE && asked.running < mostOfHost; begun++) {
        const address = nextOf(asked);
        if (!address) break;
        isAny = true;
        if (asked.givenUp) settle(address, asked.givenUp);
        else void askOne(asked, address);
      }
      const isOver = asked.isExhausted && asked.at >= asked.page.length && asked.running === 0;
      if (isOver) active.splice(active.indexOf(asked), 1);
    }
    return isAny;
  }

  const onInterrupt = () => wake();
  interrupted.addEventListener('abort', onInterrupt);
  try {
    while (!interrupted.aborted && !failure) {
      addHosts();
      // Verdicts that need no request must not keep the user from interrupting.
      if (begin() || (running === 0 && active.length > 0))
        await new Promise((resolve) => setImmediate(resolve));
      else if (running > 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      else if (areAllHosts) break;
    }
  } finally {
    isOver = true;
    interrupted.removeEventListener('abort', onInterrupt);
  }
  if (failure) throw failure.error;
  flush();
  examples.sort((a, b) => IMAGE_VERDICTS.indexOf(a.verdict) - IMAGE_VERDICTS.indexOf(b.verdict));
  return { counts: { addresses: all, remembered: fine, verdicts: counts }, examples };
}

function noteAnswer(asked: AskedHost, finding: ImageFinding): void {
  const isInVain = finding.isUnanswered === true || finding.verdict === 'unknown';
  asked.inVain = isInVain ? asked.inVain + 1 : 0;
  if (!finding.isUnanswered) asked.hasAnswered = true;
  if (asked.inVain < MOST_IN_VAIN || asked.givenUp) return;
  // A server that has answered before may do so again.
  const verdict = asked.hasAnswered ? 'unknown' : finding.verdict;
  const found = `${finding.found}, as for ${MOST_IN_VAIN} others in a row, so this one was not asked`;
  asked.givenUp = { verdict, found };
}
