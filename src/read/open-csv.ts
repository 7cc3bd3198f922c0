import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ConfigError, RunStopped } from '../model/index.ts';
import { type ReadOptions, settingsOf } from './options.ts';
import { CHUNK_BYTES, readCsv, readOn, type Source } from './source.ts';

/** Opens one CSV file, `-` for standard input, and reads it up to and including its header. */
export async function openCsv(file: string, options: ReadOptions = {}): Promise<Source> {
  const settings = settingsOf(options);
  if (file === '-') {
    const stdin = (options.stdin ?? process.stdin) as Readable;
    const end = () => stdin.destroy(new RunStopped('interrupted', 'The run was interrupted.'));
    options.interrupted?.addEventListener('abort', end, { once: true });
    return readCsv(file, stdin, settings);
  }
  const handle = await openFile(file);
  let size: number | undefined;
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new ConfigError(`${file} is a folder: name the CSV file in it.`);
    if (stat.isFile()) size = stat.size;
  } catch (error) {
    await handle.close();
    throw error;
  }
  const source = await readCsv(file, chunksOf(handle), settings, size);
  const { from } = options;
  if (from === undefined) return source;
  await source.close();
  return readOn(source, chunksOf(await openFile(file), from.offset), from, settings);
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ConfigError(`There is no file ${file}.`);
    if (code === 'EACCES' || code === 'EPERM')
      throw new ConfigError(`${file} may not be read: permission denied.`);
    throw new ConfigError(`${file} cannot be opened: ${message}.`);
  }
}

/** A buffer of its own for each chunk: the splitter keeps views of them. */
async function* chunksOf(handle: FileHandle, start?: number): AsyncGenerator<Buffer, void> {
  // Without a place each read goes on behind the last one, as pipes need it.
  let place = start ?? null;
  try {
    for (;;) {
      const room = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead, buffer } = await handle.read(room, 0, CHUNK_BYTES, place);
      if (bytesRead === 0) return;
      if (place !== null) place += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
