import { type LookupResolver, STEPS } from '../../map/index.ts';

const NO_TABLES: LookupResolver = { find: () => ({ missing: 'unknown' }) };

/** The first or the last name out of a whole one, as the step of mappings takes it; undefined if it has none. */
export function personPart(part: 'first' | 'last', whole: string): string | undefined {
  const step = STEPS.find(({ name }) => name === 'person');
  const value = step?.make(step.args.parse(part))(whole, () => undefined, NO_TABLES);
  return value === undefined ? undefined : String(value);
}

/** True for the name of a company by its legal form, such as `Bygg AB`, which is not split. */
export function isCompanyName(cell: string): boolean {
  const [first, last] = [personPart('first', cell), personPart('last', cell)];
  return (
    first !== undefined &&
    first === last &&
    first.toLowerCase() === cell.trim().replace(/\s+/g, ' ').toLowerCase()
  );
}

/** Kinds of customers that are companies, in lower case; `_` is a blank. */
const COMPANY =
  'company companies business organization organisation corporate corporation b2b legal_entity firm firma firmen firmenkunde geschäftskunde unternehmen ' +
  'gewerblich gewerbe företag foretag företagskund bolag organisation virksomhed firmakunde erhverv bedrift bedriftskunde yritys yritysasiakas ' +
  'entreprise société professionnel personne_morale empresa persona_jurídica persona_juridica pessoa_jurídica pj azienda impresa società ' +
  'persona_giuridica bedrijf zakelijk onderneming przedsiębiorstwo podmiot spółka společnost podnik cég vállalkozás şirket kurumsal tüzel ' +
  'юридическое_лицо юр._лицо юрлицо компания организация юридична_особа компанія εταιρεία persoană_juridică companie firmă perusahaan công_ty ' +
  '法人 企業 会社 企业 公司 회사 법인 기업 חברה عميل_تجاري شركة';

const COMPANY_KINDS: ReadonlySet<string> = new Set(
  COMPANY.split(' ').map((word) => word.replaceAll('_', ' ')),
);

/** The words of cells that say that a customer is a company. */
export function companyKinds(cells: Iterable<string>): string[] {
  return [...cells].filter((cell) => COMPANY_KINDS.has(cell.trim().toLowerCase()));
}
