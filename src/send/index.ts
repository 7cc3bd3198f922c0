export { type DeliverOptions, deliver, type Journal } from './deliver.ts';
export { createFeed, type Feed } from './feed.ts';
export { requestFor } from './requests.ts';
