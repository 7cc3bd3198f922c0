/** A file that is whole or absent. */
interface OpenFile {
  commit(): Promise<void>;
  /** Does nothing after `commit`. */
  abort(): Promise<void>;
}

/** A file that is written in two forms side by side, since only its last row decides which of them is to appear. */
export interface TwoForms<File extends OpenFile> extends OpenFile {
  readonly long: File;
  /** The form that appears unless `needLong` is called; undefined afterwards. */
  short(): File | undefined;
  /** Ends the short form. */
  needLong(): Promise<void>;
}

/** `openShort`: undefined if only the long form may be written. If one fails to open, nothing is left of the other. */
export async function openTwoForms<File extends OpenFile>(
  openLong: () => Promise<File>,
  openShort: (() => Promise<File>) | undefined,
): Promise<TwoForms<File>> {
  const long = await openLong();
  let short = await openShort?.().catch(async (error: unknown) => {
    await long.abort();
    throw error;
  });
  async function needLong(): Promise<void> {
    const ended = short;
    short = undefined;
    await ended?.abort();
  }
  return {
    long,
    short: () => short,
    needLong,
    async commit() {
      if (short) await long.abort();
      await (short ?? long).commit();
    },
    async abort() {
      await needLong();
      await long.abort();
    },
  };
}
