/** A suggested rule without the alternatives that only count cells. */
export function valueRules(rule: unknown): unknown {
  if (!Array.isArray(rule)) return rule;
  const [first, ...others] = rule.filter((each) => !Object.hasOwn(Object(each), 'leave-out'));
  return others.length === 0 ? first : [first, ...others];
}
