import { pick } from '../random.ts';
import { idOf } from '../storage/ids.ts';

/**
 * Phone numbers are from the ranges that a country sets aside for fiction, or mostly zeros where there is none;
 * addresses on the network are from RFC 5737; the people are invented.
 */
interface Region {
  readonly country: string;
  readonly province: string;
  readonly city: string;
  readonly street: (number: number) => string;
  readonly firstnames: readonly string[];
  readonly lastnames: readonly string[];
  readonly phone: (twoDigits: string) => string;
}

const REGIONS: readonly Region[] = [
  {
    country: 'France',
    province: 'Auvergne-Rhône-Alpes',
    city: 'Lyon',
    street: (number) => `${number} rue des Tilleuls`,
    firstnames: ['Élodie', 'Jean-Luc', 'Noémie', 'François'],
    lastnames: ["d'Arcy", 'Lefèvre', 'Moreau', 'Garnier-Petit'],
    phone: (digits) => `+33 6 39 98 00 ${digits}`,
  },
  {
    country: 'Algeria',
    province: 'Oran',
    city: 'Oran',
    street: (number) => `${number} شارع الاستقلال`,
    firstnames: ['أمينة', 'كريم', 'Yasmine', 'Sofiane'],
    lastnames: ['بن علي', 'حداد', 'Benali', 'Haddad'],
    phone: (digits) => `0555 00 00 ${digits}`,
  },
  {
    country: 'United Kingdom',
    province: 'England',
    city: 'Leeds',
    street: (number) => `Flat ${number}, "The Old Mill"`,
    firstnames: ['Orla', 'Callum', 'Priya', 'Tom'],
    lastnames: ["O'Brien", 'Whitfield', 'Patel', 'Ashworth'],
    phone: (digits) => `+44 7700 9001${digits}`,
  },
  {
    country: 'Germany',
    province: 'Sachsen',
    city: 'Görlitz',
    street: (number) => `Große Straße ${number}`,
    firstnames: ['Jörg', 'Anneliese', 'Özlem', 'Björn'],
    lastnames: ['Müller', 'Weiß', 'Yıldız', 'von der Heide'],
    phone: (digits) => `+49 30 23125 0${digits}`,
  },
  {
    country: 'Spain',
    province: 'A Coruña',
    city: 'Santiago de Compostela',
    street: (number) => `Rúa do Vilar, ${number}, 2.º B`,
    firstnames: ['Iñaki', 'Lucía', 'Martín', 'Xoana'],
    lastnames: ['Núñez', 'de la Fuente', 'Castaño', 'Ibáñez'],
    phone: (digits) => `+34 600 000 0${digits}`,
  },
  {
    country: 'United States',
    province: 'Vermont',
    city: 'Burlington',
    street: (number) => `${number} Maple Ave, Apt #${number % 9}`,
    firstnames: ['Dana', 'Marcus', 'Wei', 'Guadalupe'],
    lastnames: ['Stone', 'Nguyen', 'Li', 'St. John'],
    phone: (digits) => `(802) 555-01${digits}`,
  },
];

export interface Person {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly phone: string;
  readonly ipAddress: string;
  readonly address: {
    readonly address1: string;
    readonly address2: string;
    readonly country: Place;
    readonly province: Place;
    readonly city: Place;
  };
}
interface Place {
  readonly _id: string;
  readonly name: string;
}

/** The next person of a sequence. */
export function inventPerson(random: () => number): Person {
  const regionIndex = Math.floor(random() * REGIONS.length);
  const region = REGIONS[regionIndex] as Region;
  const number = 1 + Math.floor(random() * 98);
  const place = (level: number, name: string) => ({ _id: idOf('places', regionIndex * 3 + level), name });
  return {
    firstname: pick(region.firstnames, random()),
    lastname: pick(region.lastnames, random()),
    email: `shopper.${Math.floor(random() * 1e6)}@example.com`,
    phone: region.phone(String(number).padStart(2, '0')),
    ipAddress: `203.0.113.${Math.floor(random() * 256)}`,
    address: {
      address1: region.street(number),
      address2: random() < 0.2 ? 'c/o Neighbour;\nring twice' : '',
      country: place(0, region.country),
      province: place(1, region.province),
      city: place(2, region.city),
    },
  };
}
