#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { collectUnderPressure, restoreFlags } from '../model/memory-pressure.ts';
import { loadBundle } from './start/bundle.ts';
import { PROCESS_IO } from './start/process-io.ts';

// Answers --version without loading the rest of the program.
const [only = '', ...others] = process.argv.slice(2);
if (others.length === 0 && (only === '--version' || only === '-v')) {
  const file = new URL('../package.json', import.meta.url);
  console.log((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
} else {
  const bundle = fileURLToPath(new URL('./main.cjs', import.meta.url));
  const { main } = loadBundle(bundle, /^[a-z]+$/.test(only) ? only : 'other') as typeof import('./main.ts');
  // Compiled code is kept for the same flags only.
  collectUnderPressure(() => process.prependListener('exit', restoreFlags));
  process.exitCode = await main(process.argv.slice(2), PROCESS_IO);
}
