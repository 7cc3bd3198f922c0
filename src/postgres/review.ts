import { currentIncarnation, restored } from './incarnation.ts';
import type { Sql } from './sql.ts';

/** Knowledge of one resource at a store since the database was restored. */
export interface StoreReview {
  /** True if nothing was sent that it may lack, or the records at the store were adopted since. */
  readonly isKnown: boolean;
  /** True if the adopted list had all records, or a person looked at the store since. */
  readonly isReviewed: boolean;
}

/** `store`: its number. */
export async function reviewOf(sql: Sql, store: number, resource: string): Promise<StoreReview> {
  const incarnation = await currentIncarnation(sql);
  const [review] = await sql.query<StoreReview>(
    `select greatest(known, review.incarnation) >= $3 as "isKnown",
       reviewed >= $3 or coalesce(review.complete and review.incarnation >= $3, false) as "isReviewed"
     from store left join review on review.store = store.number and review.resource = $2 where number = $1`,
    [store, resource, incarnation],
  );
  return review ?? { isKnown: false, isReviewed: false };
}

/** Throws RunStopped if the database was restored, and may lack records of this resource that were sent to the store. */
export async function refuseRestored(sql: Sql, store: number, resource: string): Promise<void> {
  const { isKnown, isReviewed } = await reviewOf(sql, store, resource);
  if (!isKnown) throw restored(`Which ${resource} it has is not known.`);
  if (!isReviewed) throw restored('Its known records were adopted, and nothing shows whether these are all.');
}

/** The records of a resource at a store were adopted. `inside`: a fenced transaction. */
export async function noteAdopted(
  inside: Sql,
  {
    store,
    resource,
    isComplete,
  }: { readonly store: number; readonly resource: string; readonly isComplete: boolean },
): Promise<void> {
  await inside.query(
    `insert into review (store, resource, incarnation, complete) select $1::integer, $2, incarnation, $3::boolean from cluster
     on conflict (store, resource) do update set incarnation = excluded.incarnation,
       complete = excluded.complete or (review.complete and review.incarnation = excluded.incarnation)`,
    [store, resource, isComplete],
  );
}

/** A person has looked at a store: what is not known there is created. `knowsAll`: nothing was sent that the database may lack. */
export async function markReviewed(
  sql: Sql,
  store: number,
  { knowsAll = false }: { readonly knowsAll?: boolean } = {},
): Promise<void> {
  const incarnation = await currentIncarnation(sql);
  await sql.query(
    'update store set reviewed = $2, known = case when $3 then $2 else known end where number = $1',
    [store, incarnation, knowsAll],
  );
}
