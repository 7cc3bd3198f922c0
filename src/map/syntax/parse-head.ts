import { createHash } from 'node:crypto';
import { ConfigError, fileCommand } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { MappingDocument } from './document.ts';

type Root = Readonly<Record<string, unknown>>;

/** True if a mapping describes an export, not an import. */
export function isForExport(root: Root): boolean {
  return root.export !== undefined;
}

/** The error for an export mapping that is used for an import. */
export function forExport(name: string, resource: unknown): ConfigError {
  return new ConfigError(
    `The mapping ${name} says what an export writes: it has export in place of fields.`,
    typeof resource === 'string'
      ? [`Use: ${fileCommand('export', [resource], { mapping: name })}`]
      : ['It is for exports, and must say in its resource what is exported.'],
  );
}

/** The error for an import mapping that is used for an export. */
export function forImport(name: string, resource: unknown): ConfigError {
  return new ConfigError(`The mapping ${name} says how files are read: it has fields in place of export.`, [
    `It is for files${typeof resource === 'string' ? ` of ${resource}` : ''}: give it to import or validate, as --mapping ${name}.`,
    'In a mapping for exports, export lists the columns, each with the field that it shows.',
  ]);
}

export function parseResource(
  document: MappingDocument,
  name: unknown,
  choice: readonly Resource[],
): Resource | undefined {
  const resource = choice.find((candidate) => candidate.name === name);
  if (!resource) {
    const names = choice.map((each) => each.name);
    const found = JSON.stringify(name) ?? 'nothing';
    const hint = typeof name === 'string' ? didYouMean(name, names) : '';
    document.addError(
      ['resource'],
      `resource must be one of ${names.join(', ')}, found ${found}.${hint} Its fields are checked when this is correct.`,
    );
  }
  return resource;
}

export function titleOf({ title }: Root, name: string): string {
  return typeof title === 'string' ? title : name;
}

/** Digest by which a later run detects that a mapping has changed. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
