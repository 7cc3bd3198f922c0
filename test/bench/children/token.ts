/** Address of the measured store, passed to the children of the benchmark. */
export function environment(): { url: string; clientId: string; clientSecret: string } {
  const {
    STOREPORT_BASE_URL: url = '',
    STOREPORT_CLIENT_ID: clientId = '',
    STOREPORT_CLIENT_SECRET: clientSecret = '',
  } = process.env;
  return { url, clientId, clientSecret };
}

/** API document, Authentication, step 2. */
export async function accessToken(): Promise<string> {
  const { url, clientId, clientSecret } = environment();
  const query = new URLSearchParams({ clientId, clientSecret });
  const answer = await fetch(`${url}/api/stores/authentication?${query}`);
  return ((await answer.json()) as { accessToken: string }).accessToken;
}
