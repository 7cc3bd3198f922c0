import { intentText } from '../../ledger/index.ts';
import type { AboutRecord, Operation, PlannedRecord, ReadyRecord, RecordResult } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { aboutCreated, requestFor, requestOf } from '../../send/index.ts';
import { intentOf, type ReadyOptions, resultOf } from '../prepare/ready-records.ts';

/** Ready records for another thread: bodies and intents in one buffer, which is moved and not copied. */
export interface PackedBatch {
  /** The body and the intent of each record to send, in turn, as UTF-8. */
  readonly bytes: ArrayBuffer;
  readonly records: readonly (PackedRecord | RecordResult)[];
}

type PackedRecord = readonly [
  seq: number,
  row: number,
  file: string | undefined,
  key: string,
  kind: Operation['kind'],
  id: string | undefined,
  bodyBytes: number,
  intentBytes: number,
  about: PackedAbout,
];

/** Only the field for nearly all creates, whose answers must repeat the key in it. Objects are slow to pass. */
type PackedAbout = AboutRecord | string | undefined;

/** Bytes of UTF-8 for one UTF-16 code unit at most. */
const MOST_BYTES_PER_UNIT = 3;
const FIRST_BYTES = 64 * 1024;

/** Packs batches. The buffer is used again, so that a batch costs one allocation. */
export function createPacker(options: ReadyOptions): (planned: readonly PlannedRecord[]) => PackedBatch {
  const { resource, namesFiles } = options;
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let at = 0;

  /** Returns the number of bytes. */
  function append(text: string): number {
    const most = at + text.length * MOST_BYTES_PER_UNIT;
    if (most > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * buffer.length));
      buffer.copy(larger, 0, 0, at);
      buffer = larger;
    }
    const written = buffer.write(text, at);
    at += written;
    return written;
  }

  function packed(planned: PlannedRecord): PackedRecord | RecordResult {
    const { operation, key } = planned;
    if (!operation) return resultOf(planned, options);
    const intent = intentOf(planned, operation.kind, namesFiles);
    const { body = '', about } = requestFor(resource, operation, key);
    const id = operation.kind === 'update' ? operation.id : undefined;
    const { seq, row, file, kind } = intent;
    return [
      seq,
      row,
      file,
      key,
      kind,
      id,
      append(body as string),
      append(intentText(intent)),
      packAbout(about, kind, key),
    ];
  }

  return (planned) => {
    at = 0;
    const records = planned.map(packed);
    const bytes = buffer.buffer.slice(0, at) as ArrayBuffer;
    // One long record must not keep its memory for the rest of the run.
    if (buffer.length > 16 * FIRST_BYTES) buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return { bytes, records };
  };
}

export function unpackBatch({ bytes, records }: PackedBatch, resource: Resource): ReadyRecord[] {
  const all = Buffer.from(bytes);
  let at = 0;
  const take = (length: number) => {
    at += length;
    return all.subarray(at - length, at);
  };
  return records.map((record): ReadyRecord => {
    if (!isPacked(record)) return { result: record };
    const [seq, row, file, key, kind, id, bodyBytes, intentBytes, about] = record;
    const request = requestOf(resource, kind, id, {
      body: take(bodyBytes),
      about: typeof about === 'string' ? aboutCreated(resource, about, key) : about,
    });
    return { seq, row, file, key, kind, request, id, intent: take(intentBytes) };
  });
}

function packAbout(about: AboutRecord | undefined, kind: Operation['kind'], key: string): PackedAbout {
  return kind === 'create' && about?.value === key ? about.fields[0] : about;
}

function isPacked(record: PackedRecord | RecordResult): record is PackedRecord {
  return Array.isArray(record);
}
