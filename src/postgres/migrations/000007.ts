/** A token that is also noted outside the database, so that a copy that is put back in its place is noticed. */
export default `
alter table lease
  add column token text,                        -- replaced before records are sent, and while they are
  add column token_before text,                 -- still noted if a process ended between the database and the note
  add column token_in integer;                  -- the incarnation in which it was replaced last
`;
