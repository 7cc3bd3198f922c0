import type { IssueKind } from '../../model/index.ts';

/** Kinds of issues in their stored form: `[["required", "name", 1, "row 7: name is missing"], …]`. */
type PackedKinds = readonly (readonly [code: string, field: string | null, count: number, example: string])[];

export function packKinds(kinds: readonly IssueKind[]): string {
  return JSON.stringify(
    kinds.map(({ code, field = null, count, example }) => [code, field, count, example] as const),
  );
}

export function unpackKinds(text: string): IssueKind[] {
  return (JSON.parse(text) as PackedKinds).map(([code, field, count, example]) => ({
    ...{ code, count, example },
    ...(field === null ? {} : { field }),
  }));
}
