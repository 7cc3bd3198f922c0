import { useEffect, useState } from 'preact/hooks';

/** The parts of the address behind `#/`, decoded: `['work', '3f', 'columns']`. */
export function useRoute(): readonly string[] {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const onChange = () => setRoute(currentRoute());
    addEventListener('hashchange', onChange);
    // The address may have changed since the first render.
    onChange();
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

function currentRoute(): readonly string[] {
  return location.hash
    .replace(/^#\/?|\?.*$/g, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
}

/** The address of a screen, for links. */
export function addressOf(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** A choice on a screen that a reload keeps, such as `2` in `#/fix/r1?cause=2`. */
export function choiceInAddress(name: string): string | undefined {
  return new URLSearchParams(location.hash.split('?')[1] ?? '').get(name) ?? undefined;
}

/** Keeps a choice in the address, without a step in the history. */
export function keepInAddress(name: string, value: string | undefined): void {
  // The first screen is also shown without a hash.
  const [route, query = ''] = (location.hash || addressOf()).split('?');
  const choices = new URLSearchParams(query);
  if (value === undefined) choices.delete(name);
  else choices.set(name, value);
  history.replaceState(history.state, '', choices.size > 0 ? `${route}?${choices}` : (route ?? ''));
}

export function openScreen(...parts: readonly string[]): void {
  location.hash = addressOf(...parts);
}
