import { PassThrough, Readable } from 'node:stream';
import type { CommandIo, Output } from '../../src/cli/io.ts';

/** An output that keeps its text. */
export interface KeptOutput extends Output {
  text(): string;
}

export function keptOutput(facts: { readonly isTTY?: boolean; readonly columns?: number } = {}): KeptOutput {
  const chunks: Buffer[] = [];
  const stream = new PassThrough().on('data', (chunk) => void chunks.push(chunk));
  return Object.assign(stream, facts, { text: () => Buffer.concat(chunks).toString('utf8') });
}

/** Streams and variables for a command line, apart from the process of the tests. */
export function testIo(
  parts: Partial<CommandIo> = {},
): CommandIo & { readonly stdout: Output; readonly stderr: Output } {
  return { stdin: Readable.from([]), stdout: keptOutput(), stderr: keptOutput(), env: {}, ...parts };
}
