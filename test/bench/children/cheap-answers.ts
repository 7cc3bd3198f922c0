/** Answers of a cheap store that do not depend on the request. */

export const TOKEN = { refreshToken: 'cheap-refresh', accessToken: 'cheap-token', expireTime: 86_400_000 };
export const EMPTY_LIST = { data: { results: [], paginate: { total: 0, per_page: 1, page: 1 } } };
