import type { ApiRoute } from './route.ts';

export interface FoundRoute {
  readonly route: ApiRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of an address below API_BASE; undefined if there is none. A parameter is never empty. */
export function findRoute(routes: readonly ApiRoute[], method: string, path: string): FoundRoute | undefined {
  const parts = path.split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const params = paramsIn(route.path.split('/'), parts);
    if (params) return { route, params };
  }
  return undefined;
}

function paramsIn(
  pattern: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [n, expected] of pattern.entries()) {
    const part = parts[n] ?? '';
    if (!expected.startsWith(':')) {
      if (part !== expected) return undefined;
      continue;
    }
    const value = decoded(part);
    if (value === undefined || value === '') return undefined;
    params[expected.slice(1)] = value;
  }
  return params;
}

function decoded(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    // No id and no name has it, and databases refuse it.
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
