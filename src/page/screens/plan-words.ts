import type { ImportChoice, StoreView } from '../../ui/api/index.ts';
import { counted, storeName } from '../text.ts';
import type { ShownSummary } from './summary-parts.tsx';

/** Records that an import would send. The check is made for creates and updates; some modes leave one of them out. */
export interface SendCounts {
  readonly create: number;
  readonly update: number;
  /** `update` is a lower bound: an update needs fewer fields than the check asks for. */
  readonly isLeast: boolean;
}

export function sendCounts({ plan }: ShownSummary, { mode }: ImportChoice): SendCounts {
  const { create = 0, update = 0 } = plan?.actions ?? {};
  return {
    create: mode === 'update' ? 0 : create,
    update: mode === 'create' ? 0 : update,
    isLeast: mode === 'update',
  };
}

/** `Create 1,240 products in shop.example.com`; undefined if nothing would be sent. */
export function sendWords(
  summary: ShownSummary,
  choice: ImportChoice,
  target: StoreView | undefined,
): string | undefined {
  const { create, update, isLeast } = sendCounts(summary, choice);
  const place = `in ${storeName(target?.address ?? null)}`;
  if (isLeast) return `Update at least ${counted(update)} ${summary.resource} ${place}`;
  if (create + update === 0) return undefined;
  const verbs = [
    ...(create > 0 ? [`Create ${counted(create)}`] : []),
    ...(update > 0 ? [`${create > 0 ? 'update' : 'Update'} ${counted(update)}`] : []),
  ];
  return `${verbs.join(' and ')} ${create + update === 1 ? singularOf(summary.resource) : summary.resource} ${place}`;
}

/** `1,100 products will be created and 140 updated in shop.example.com.` */
export function planSentence(
  summary: ShownSummary,
  choice: ImportChoice,
  target: StoreView | undefined,
): string {
  const { create, update, isLeast } = sendCounts(summary, choice);
  const place = `in ${storeName(target?.address ?? null)}`;
  const { resource } = summary;
  const things = create + update === 1 ? singularOf(resource) : resource;
  if (isLeast) return `At least ${counted(update)} ${resource} will be updated ${place}.`;
  if (create > 0 && update > 0)
    return `${counted(create)} ${create === 1 ? singularOf(resource) : resource} will be created and ${counted(update)} updated ${place}.`;
  if (create + update === 0) return `Nothing will be sent to ${storeName(target?.address ?? null)}.`;
  return `${counted(create + update)} ${things} will be ${create > 0 ? 'created' : 'updated'} ${place}.`;
}

/** `products` as `product`, `categories` as `category`. */
export function singularOf(resource: string): string {
  return resource.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}
