/** Finds pairs of target paths where one is inside the other, so that two rules would write the same place. */
export function overlapsIn(paths: readonly (readonly string[])[]): { outer: string; inner: string }[] {
  const whole = new Set(paths.map((path) => path.join('.')));
  return paths.flatMap((path) =>
    path
      .slice(1)
      .map((_step, index) => ({ outer: path.slice(0, index + 1).join('.'), inner: path.join('.') }))
      .filter(({ outer }) => whole.has(outer)),
  );
}
