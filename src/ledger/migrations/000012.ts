/** How fast a run went: a short list of points, as JSON. See `RunActivity` in the model. */
export default `
alter table run add column activity text;
`;
