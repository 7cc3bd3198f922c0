import { parentPort, workerData } from 'node:worker_threads';
import { runBehindSending } from '../../model/index.ts';
import { openDatabase } from '../database/database.ts';
import { createEpochFold, type EpochToFold } from './fold-epoch.ts';
import type { FoldAnswer, FoldThreadOptions } from './fold-thread.ts';

// The thread of fold-thread.ts: folds one epoch for each message, until it is closed.

runBehindSending();
const { home, ...options } = workerData as FoldThreadOptions;
const database = openDatabase(home);
const fold = createEpochFold(database, options);

function answerTo(epoch: EpochToFold): FoldAnswer {
  try {
    fold(epoch);
    return {};
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

parentPort?.on('message', (message: EpochToFold | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(answerTo(message));
  database.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');
