import { RunStopped } from '../../model/index.ts';
import type { ListEndpoint, Resource } from '../../resources/index.ts';

/**
 * Adds advice to the error of an export whose list may be at another path. `pages`: number of pages read. If a documented
 * list gave one, its path is right.
 */
export function withAdvice(
  error: unknown,
  { name }: Resource,
  { path, otherPath, undocumented }: ListEndpoint,
  pages: number,
): unknown {
  if (!(error instanceof RunStopped)) return error;
  const isAboutList = undocumented
    ? error.reason === 'not-the-api' || (error.reason === 'store-unreachable' && pages === 0)
    : error.reason === 'not-the-api' && pages === 0;
  if (!isAboutList) return error;
  const other = otherPath === path ? undefined : otherPath;
  return new RunStopped(error.reason, error.message, [
    ...error.hints,
    ...(undocumented
      ? [
          `The API document names ${path} and does not show its answer: not every store has a list of ${name} there.`,
        ]
      : []),
    ...(other === undefined ? [] : [`Some stores have it at ${other}.`]),
    `If yours has it ${other === undefined ? 'elsewhere' : 'there, or elsewhere'}, write ${name}.list.path into the section api of storeport.config.yaml: docs/configuration.md.`,
    ...(other === undefined ? [] : [`For example: api: { ${name}: { list: { path: ${other} } } }`]),
  ]);
}
