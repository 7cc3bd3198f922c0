export { type DeliverOptions, type DeliveryJournal, deliverAll } from './deliver.ts';
export { createFeed, type Feed } from './feed.ts';
export { aboutCreated, requestFor, requestOf } from './requests.ts';
