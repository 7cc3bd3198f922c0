/**
 * The value that an object has under a name from outside. Names such as `constructor` and `toString` are inherited by every object,
 * and no values of it.
 */
export function ownValue<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
