/** Target paths of which one lies inside another: what stands there would have to come from both. */
export function overlapsIn(paths: readonly (readonly string[])[]): { outer: string; inner: string }[] {
  const whole = new Set(paths.map((path) => path.join('.')));
  return paths.flatMap((path) =>
    path
      .slice(1)
      .map((_step, index) => ({ outer: path.slice(0, index + 1).join('.'), inner: path.join('.') }))
      .filter(({ outer }) => whole.has(outer)),
  );
}
