import { overridden, RESOURCES, type Resource, resourceNamed } from '../../resources/index.ts';
import type { FleetSettings } from './settings.ts';

/** Resources as a store has them. */
export function resourcesOf({ api }: Pick<FleetSettings, 'api'>): readonly Resource[] {
  return RESOURCES.map((resource) => overridden(resource, api?.[resource.name]));
}

/** The resource of a task, as its store has it. Throws ConfigError if the store has no such thing. */
export function taskResource(
  name: string,
  settings: Pick<FleetSettings, 'api'>,
  purpose: 'create' | 'list',
): Resource {
  return resourceNamed(
    name,
    resourcesOf(settings).filter((resource) => resource[purpose] !== undefined),
  );
}

/** True if a list of the store shows which records are there. */
export function canBeAsked({ list, key }: Pick<Resource, 'list' | 'key'>): boolean {
  return list !== undefined && key !== undefined;
}
