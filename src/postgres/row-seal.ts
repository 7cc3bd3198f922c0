import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { ConfigError } from '../model/index.ts';

/** Encrypts the source rows that the database keeps: they may have passwords of customers. */
export interface RowSeal {
  /** Ids of keys that were declared lost. */
  readonly lost: readonly string[];
  sealBytes(rows: Buffer): Buffer;
  /** Undefined if the key was declared lost. Throws ConfigError if it is not here, or if the bytes are damaged. */
  openBytes(sealed: Buffer): Buffer | undefined;
  /** The same for JSON of a list, as text: `KEY-ID.base64`. */
  seal(rows: string): string;
  /** As `openBytes`. Text that was never sealed is returned as it is. */
  open(sealed: string): string | undefined;
}

/** A secret that is not in the database. */
export interface RowKey {
  /** Derived from the secret, so that a damaged one is noticed. */
  readonly id: string;
  readonly secret: Buffer;
}

export interface RowKeys {
  readonly current: RowKey;
  /** For rows that were sealed before. */
  readonly earlier?: readonly RowKey[] | undefined;
  /** Ids of keys whose rows cannot be read any more. */
  readonly lost?: readonly string[] | undefined;
  /** True if rows under unknown keys are left out. Default: they are an error. */
  readonly isPartial?: boolean | undefined;
}

const SECRET_BYTES = 32;
const ID_BYTES = 8;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const SALT_AT = ID_BYTES;
const NONCE_AT = SALT_AT + SALT_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const ROWS_AT = TAG_AT + TAG_BYTES;

/** Derived keys that are remembered. Each process that sealed rows has one. */
const MAX_DERIVED = 1000;

export function rowKeyOf(secret: Buffer): RowKey {
  if (secret.length !== SECRET_BYTES) throw new Error(`A key has ${SECRET_BYTES} bytes.`);
  return {
    id: createHash('sha256')
      .update(secret)
      .digest('hex')
      .slice(0, 2 * ID_BYTES),
    secret,
  };
}

export function newRowKey(): RowKey {
  return rowKeyOf(randomBytes(SECRET_BYTES));
}

/**
 * AES-256-GCM. Each seal derives a key of its own from a random salt and counts its nonces: random nonces of one key must not
 * exceed 2^32 texts, which a fleet reaches.
 */
export function createRowSeal({ current, earlier = [], lost = [], isPartial = false }: RowKeys): RowSeal {
  const keys = new Map([...earlier, current].map((key) => [key.id, key.secret]));
  const derived = new Map<string, Buffer>();
  const begin = Buffer.concat([Buffer.from(current.id, 'hex'), randomBytes(SALT_BYTES)]);
  const sealing = derive(current.secret, begin.subarray(SALT_AT));
  let count = 0;

  function derivedKey(idAndSalt: Buffer, secret: Buffer): Buffer {
    const name = idAndSalt.toString('latin1');
    let key = derived.get(name);
    if (key === undefined) {
      if (derived.size >= MAX_DERIVED) derived.clear();
      key = derive(secret, idAndSalt.subarray(SALT_AT));
      derived.set(name, key);
    }
    return key;
  }

  function sealBytes(rows: Buffer): Buffer {
    const nonce = Buffer.alloc(NONCE_BYTES);
    nonce.writeUIntBE(count++, NONCE_BYTES - 6, 6);
    const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
    const text = cipher.update(rows);
    cipher.final();
    return Buffer.concat([begin, nonce, cipher.getAuthTag(), text]);
  }

  function openBytes(sealed: Buffer): Buffer | undefined {
    const id = sealed.toString('hex', 0, ID_BYTES);
    const secret = keys.get(id);
    if (secret === undefined) {
      if (isPartial || lost.includes(id)) return undefined;
      throw unknownKey(id);
    }
    if (sealed.length < ROWS_AT) throw damagedRows(id);
    const key = derivedKey(sealed.subarray(0, NONCE_AT), secret);
    const nonce = sealed.subarray(NONCE_AT, TAG_AT);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(TAG_AT, ROWS_AT));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(ROWS_AT)), decipher.final()]);
    } catch {
      throw damagedRows(id);
    }
  }

  return {
    lost,
    sealBytes,
    openBytes,
    // The id is apart, so that statements find the rows of a key.
    seal: (rows) => `${current.id}.${sealBytes(Buffer.from(rows)).toString('base64', ID_BYTES)}`,
    open(sealed) {
      if (sealed.startsWith('[')) return sealed;
      const [id = '', rest = ''] = sealed.split('.');
      return openBytes(Buffer.concat([Buffer.from(id, 'hex'), Buffer.from(rest, 'base64')]))?.toString();
    },
  };
}

function derive(secret: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, 'storeport rows', SECRET_BYTES));
}

function unknownKey(id: string): ConfigError {
  return new ConfigError(
    `Rows in the database were encrypted with the key ${id}, which this process does not have.`,
    ['If the key was made since this process began, start it again.'],
  );
}

function damagedRows(id: string): ConfigError {
  return new ConfigError(
    `Encrypted rows in the database are damaged: they do not fit the key ${id}.`,
    ['Restore the database from a backup.'],
    'ledger-damaged',
  );
}
