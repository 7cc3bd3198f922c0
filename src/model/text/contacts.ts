const PLAIN_MAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/i;

/** Text before the @, with letters of any script. Only in quotes it may have blanks, brackets and further @. */
const LOCAL_PART = /^(?:[^\s@<>()[\]\\,;:"]+|"(?:[^"\\\r\n]|\\.)+")$/u;

/** An address of a server in place of a domain, RFC 5321, 4.1.3. */
const ADDRESS_LITERAL = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]+)\]$/i;

/** Letters of any script, and signs such as emoji, which some registries admit. */
const LABEL = /^(?:[\p{L}\p{N}\p{M}\p{So}·・_-]|\u200c|\u200d)+$/u;

/** Characters without a shape, apart from the two that join letters. */
const INVISIBLE = /(?!\u200c|\u200d)\p{C}/u;

/**
 * Explains why no mail can be delivered to an address; undefined if it may be right. Takes letters of any script, quoted
 * names and dots anywhere before the @, which some providers gave out.
 */
export function faultOfMail(address: string): string | undefined {
  if (PLAIN_MAIL.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || domain === '' || !LOCAL_PART.test(local) || INVISIBLE.test(address) || /\s/.test(domain))
    return 'it needs one @ with text on both sides, and no blanks, brackets, commas or colons';
  return ADDRESS_LITERAL.test(domain) ? undefined : faultOfDomain(domain);
}

function faultOfDomain(domain: string): string | undefined {
  const labels = domain.split('.');
  if (domain.endsWith('.')) return 'it ends with a dot';
  if (labels.includes('')) return 'a part is missing between the @ and a dot, or between two dots';
  if (labels.length === 1) return 'its domain has no ending, such as .com';
  if (!labels.every((label) => LABEL.test(label))) return 'its domain has a character that no domain has';
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-')))
    return 'a part of its domain begins or ends with a hyphen';
  const ending = labels.at(-1) ?? '';
  return /^[a-z]$/i.test(ending) || /^\p{N}+$/u.test(ending)
    ? 'its domain ends in a single letter or a number'
    : undefined;
}

/** Some services have three digits; numbers with fewer reach nobody. */
const MIN_PHONE_DIGITS = 3;

/** True if a text has too few digits for a phone number, or only zeros, or is a mail address. Takes digits of any script. */
export function isNoPhone(text: string): boolean {
  if (text.includes('@')) return true;
  if (/\d\d[1-9]/.test(text)) return false;
  const digits = text.match(/\p{Nd}/gu) ?? [];
  return digits.length < MIN_PHONE_DIGITS || digits.every((digit) => digit === '0');
}
