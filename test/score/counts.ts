/** Counts of one or more files. */
export interface Count {
  /** Fields of the truth, and those that are found. */
  fields: number;
  found: number;
  /** Fields that are suggested, and those with the right columns. */
  suggested: number;
  right: number;
  /** Records of the samples that the suggestion was tried on, and valid ones. */
  tried: number;
  valid: number;
  /** Valid records of presets, and those that the suggestion makes alike. */
  records: number;
  equal: number;
  /** Suggestions that cannot be used with their own file. */
  refused: number;
}

export function newCount(): Count {
  return {
    fields: 0,
    found: 0,
    suggested: 0,
    right: 0,
    tried: 0,
    valid: 0,
    records: 0,
    equal: 0,
    refused: 0,
  };
}

export function sumOf(counts: readonly Count[]): Count {
  const sum = newCount();
  for (const count of counts) for (const key of Object.keys(sum) as (keyof Count)[]) sum[key] += count[key];
  return sum;
}

/** Shares of what is counted; undefined if nothing is. */
export interface Shares {
  readonly recall: number | undefined;
  readonly precision: number | undefined;
  readonly equal: number | undefined;
}

export function sharesOf({ found, fields, right, suggested, equal, records }: Count): Shares {
  const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);
  return { recall: share(found, fields), precision: share(right, suggested), equal: share(equal, records) };
}

/** The mean over platforms: in the sum, a platform with many files counts for more. */
export function meanOf(all: readonly Shares[]): Shares {
  const mean = (key: keyof Shares) => {
    const known = all.flatMap((shares) => shares[key] ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  return { recall: mean('recall'), precision: mean('precision'), equal: mean('equal') };
}
