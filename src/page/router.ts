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
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
}

/** The address of a screen, for links. */
export function addressOf(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function openScreen(...parts: readonly string[]): void {
  location.hash = addressOf(...parts);
}
