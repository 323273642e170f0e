import { z } from 'zod';
import { parsePrice, priceDMax, priceNMax } from '../core/rules/price.ts';
import { allZones, zoneGroups } from '../core/rules/zones.ts';
import { playSchema } from './play-keys.ts';

const text = z.string().min(1).max(200);
const language = z.string().regex(/^[a-z]{2}$/);
const byLanguage = z.record(language, text).meta({ format: 'a text for each language, like { en = "Small" }' });
const priceFormat = `a price "n:d" with n from 1 to ${priceNMax} and d from 1 to ${priceDMax}; a list of three for "single"`;
const prices = z
  .union([z.string(), z.array(z.string()).max(3)])
  .refine((pays) => [pays].flat().every((text) => parsePrice(text) !== null), { error: `allowed: ${priceFormat}` })
  .meta({ format: priceFormat });

/** One section of a house file: a group of zones or a single zone. */
export const zoneSectionSchema = z.strictObject({
  pays: prices.exactOptional(),
  label: byLanguage.exactOptional(),
  isFromDocument: z.boolean().exactOptional(),
});

/** A house file as written; `houseProblems` checks what no schema can, `houseFrom` makes the house. */
export const houseSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/)
    .meta({ format: 'lower-case letters, digits and dashes, at most 32' }),
  languages: z
    .array(language.meta({ format: 'a two-letter language code' }))
    .min(1)
    .max(10)
    .meta({ format: 'a list of 1 to 10 two-letter language codes' }),
  documents: z.array(text).min(1).max(10).meta({ format: 'a list of 1 to 10 texts' }),
  title: byLanguage,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ format: 'three capital letters (ISO 4217)' }),
  numberLocale: z
    .string()
    .regex(/^[a-z]{2}(-[A-Z]{2})?$/)
    .meta({ format: 'a locale like "en-US"' }),
  draw: z.enum(['thrown']),
  zoneCount: z.int().min(1).max(allZones.length),
  otherPriceSource: text.exactOptional(),
  play: playSchema.default({}),
  zone: z.strictObject(
    Object.fromEntries(
      [...zoneGroups, ...allZones.map((zone) => zone.id)].map((key) => [key, zoneSectionSchema.exactOptional()]),
    ),
  ),
});

export type HouseFile = z.infer<typeof houseSchema>;
export type ZoneSection = z.infer<typeof zoneSectionSchema>;
