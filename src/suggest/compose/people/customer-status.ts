import { isFew } from '../../evidence.ts';
import { LIKELY, type RoleMatch } from '../../match/candidate.ts';
import { says } from '../../names/read-name.ts';
import { type ProductState, productStates, wordsOfState } from '../../profile/status-words.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import type { RuleText } from '../rules.ts';

/** The status of a customer: flags and dates that end an account come first, then the words of a status. */
export function addCustomerStatus(notes: Notes, byRole: MatchesByRole): void {
  const [status] = byRole('status');
  const endings = [...byRole('off'), ...byRole('offDate')].sort(
    (a, b) => Number(isBlocking(b)) - Number(isBlocking(a)),
  );
  const rules = endings.map(endedRule);
  const words = status && statusWords(status);
  if (status && !words) {
    const shown = [...status.candidate.profile.distinct].slice(0, 6).join(', ');
    notes.leave(status.candidate, `it is not known what these words mean: ${shown}`, 'status');
  }
  const used = [...endings, ...(status && words ? [status] : [])];
  if (used.length === 0) return;
  const all = [...rules, ...(words ? [words.rule] : [])];
  notes.add('status', all.length === 1 ? all[0] : all, {
    candidates: used.map(({ candidate }) => candidate),
    score: Math.min(...used.map(({ score }) => score), ...(words?.doubt ? [LIKELY] : [])),
    doubt: words?.doubt,
  });
}

function isBlocking({ candidate: { reading } }: RoleMatch): boolean {
  return says(reading, 'blocked');
}

/** A customer whose flag does not say no, or whose date has come. */
function endedRule(match: RoleMatch): RuleText {
  const { name, profile } = match.candidate;
  const state = isBlocking(match) ? 'BLOCKED' : 'UNACTIVE';
  if (match.role === 'offDate') return { const: state, when: { [name]: { empty: false, future: false } } };
  return {
    const: state,
    when: { [name]: { 'is-not': [...wordsOfState(profile.distinct, 'DRAFT'), ''] } },
  };
}

/** The rule for the words of a status. Most of them must be known; others are not active. */
function statusWords({
  candidate: { name, profile },
}: RoleMatch): { readonly rule: RuleText; readonly doubt: string | undefined } | undefined {
  const { known, unknown } = productStates([...profile.distinct]);
  const states = [...known].map(([word, state]) => [word, BLOCKING.has(word) ? 'BLOCKED' : OF_STATE[state]]);
  for (const word of unknown) if (BLOCKING.has(word)) states.push([word, 'BLOCKED']);
  const names = new Set(states.map(([word]) => word));
  const strange = unknown.filter((word) => !names.has(word));
  const others = profile.filled.filter((cell) => !names.has(cell.toLowerCase()));
  // Words such as VIP, Lead and Customer are a group, and say nothing about the account.
  if (!isFew(others.length, profile.filled.length, MAX_UNKNOWN)) return undefined;
  return {
    rule: {
      from: name,
      map: Object.fromEntries(states),
      ...(strange.length > 0 ? { else: 'UNACTIVE' } : {}),
    },
    doubt:
      strange.length === 0
        ? undefined
        : `it is not known what these words mean, so their customers are not active: ${strange.slice(0, 6).join(', ')}`,
  };
}

/** Share of the cells whose words may be unknown. */
const MAX_UNKNOWN = 0.5;

const OF_STATE: Readonly<Record<ProductState, string>> = {
  PUBLISH: 'ACTIVE',
  DRAFT: 'UNACTIVE',
  TRASH: 'UNACTIVE',
};

/** Words of a customer to whom the shop sells nothing, in lower case. */
const BLOCKING: ReadonlySet<string> = new Set(
  (
    'blocked banned blacklisted locked suspended barred gesperrt blockiert bloqué bloquée banni suspendu bloqueado bloqueada suspendido bloccato ' +
    'bloccata sospeso suspenso geblokkeerd zablokowany zablokowana заблокирован заблокирована spärrad blockerad spærret blokeret sperret blokkert ' +
    'blokován zablokován blokovaný engellendi yasaklı estetty letiltva letiltott blocat blocată заблоковано diblokir חסום ' +
    '黑名单 封禁 冻结 차단 ブロック'
  ).split(' '),
);
