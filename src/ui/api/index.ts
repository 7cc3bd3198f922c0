/**
 * The HTTP API between the server of `storeport ui` and its page. Both import these types, so they cannot differ.
 * docs/ui.md describes the same for people. All addresses begin with `API_BASE`; bodies and answers are JSON.
 */

/** Raised with every change that an open page of an earlier version would not understand. */
export const API_VERSION = 1;

export { API_BASE, type ApiFailure } from '../../http/api.ts';
export type { FileFigures, LookFinding, ValueInRow } from '../../model/outcome/look.ts';
export type * from './doubts.ts';
export type * from './exports.ts';
export type * from './fixes.ts';
export type * from './jobs.ts';
export { PAUSABLE_JOBS } from './jobs.ts';
export type * from './mapping.ts';
export type * from './records.ts';
export type * from './runs.ts';
export type * from './start.ts';
export type * from './works.ts';
