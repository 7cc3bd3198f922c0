import { type Line, mainUsPerRow } from './table.ts';

/** CPU time of storeport, whole and of its main thread, as multiples of the reference program's in the same run. */
export interface CpuRatios {
  readonly whole: number;
  readonly main: number | null;
}

/** Ratios that were measured at a release, by comparison. */
export interface ReleaseRatios {
  readonly version: string;
  readonly records: number;
  readonly ratios: Readonly<Record<string, CpuRatios>>;
}

/** The ratios of one short run. In each comparison the first program is the reference. */
export function ratiosOf(lines: readonly Line[]): Record<string, CpuRatios> {
  const ratios: Record<string, CpuRatios> = {};
  for (const own of lines.filter(({ name }) => name.startsWith('storeport'))) {
    const reference = lines.find(({ title }) => title === own.title) as Line;
    const [main, referenceMain] = [mainUsPerRow(own), mainUsPerRow(reference)];
    ratios[own.title] = {
      whole: rounded(own.cpuUsPerRow / reference.cpuUsPerRow),
      main: main && referenceMain ? rounded(main / referenceMain) : null,
    };
  }
  return ratios;
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}

/** One line for each comparison: the ratios now and at the last release. It does not judge: a busy machine changes them. */
export function besideRelease(now: Readonly<Record<string, CpuRatios>>, then: ReleaseRatios): string {
  const words = ({ whole, main }: CpuRatios) =>
    `CPU ${whole.toFixed(2)} ×${main === null ? '' : `, main thread ${main.toFixed(2)} ×`}`;
  return Object.entries(now)
    .map(([title, ratios]) => {
      const before = then.ratios[title];
      return `${title}: ${words(ratios)} (${then.version}: ${before ? words(before) : 'not measured'})`;
    })
    .join('\n');
}
