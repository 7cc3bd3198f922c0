/**
 * Meanings of words in the names of columns. Each concept has words in several languages (`words/<language>.ts`). A name
 * is read as the set of its concepts: `Precio de oferta` is `price` and `sale`.
 */
export const CONCEPTS = [
  // Things.
  'product',
  'variant',
  'parent',
  // Another thing that the one of the row goes with: `Related product name` is not its name.
  'related',
  'option',
  'value',
  'customer',
  'supplier',
  'order',
  'line',
  'discount',
  'company',
  'contact',
  'store',
  // Names and texts.
  'name',
  'title',
  'description',
  'short',
  'long',
  'html',
  'text',
  'note',
  'seo',
  'keyword',
  'tag',
  'category',
  'type',
  'brand',
  'material',
  'color',
  'condition',
  // Identifiers.
  'id',
  'code',
  'number',
  'reference',
  'sku',
  'barcode',
  'model',
  // A number that products of several sizes and colours have in common.
  'style',
  'slug',
  'url',
  // Pictures and files.
  'image',
  'thumbnail',
  'alt',
  'file',
  'video',
  // Amounts.
  'price',
  'sale',
  'regular',
  'old',
  'cost',
  'net',
  'gross',
  'tax',
  'currency',
  // A hundredth of a currency: 1250 cents are 12.50.
  'minor',
  // The number of pieces, or the unit, that a price is for: 12.50 per 100.
  'basis',
  'percent',
  'amount',
  'total',
  // Stock and measures.
  'stock',
  'quantity',
  'available',
  'minimum',
  'maximum',
  'low',
  'backorder',
  'tracked',
  'unit',
  // Names of units, such as kg: `Price kg` is no price.
  'measure',
  'weight',
  'length',
  'width',
  'height',
  'depth',
  'size',
  'volume',
  // States.
  'status',
  'active',
  'visible',
  'purchasable',
  'featured',
  'hidden',
  // A person whom the shop sells nothing to.
  'blocked',
  'deleted',
  'digital',
  'position',
  // Times and places.
  'date',
  'created',
  'updated',
  'start',
  'end',
  'language',
  'region',
  // People.
  'first',
  'last',
  'middle',
  // The part of a last name that is sorted apart: `van der` in Dutch.
  'infix',
  'full',
  'salutation',
  'gender',
  'birthday',
  'email',
  'phone',
  'mobile',
  'fax',
  'password',
  'newsletter',
  'optin',
  'vat',
  'group',
  // Addresses.
  'address',
  'street',
  // Behind the street: a floor, a flat, a person.
  'supplement',
  'house',
  'city',
  'zip',
  'state',
  'country',
  'billing',
  'shipping',
  'default',
  // Orders and discounts.
  'payment',
  'method',
  'limit',
  'used',
  'once',
] as const;

export type Concept = (typeof CONCEPTS)[number];

/**
 * Words of one language: for each concept its words and phrases, separated by commas, in lower case. Sources
 * are published translations and real exports; each file names them. Words of `basis`, `hidden`, `minor`, `related` and
 * `style` are of general use.
 */
export type Words = Readonly<Partial<Record<Concept, string>>>;
