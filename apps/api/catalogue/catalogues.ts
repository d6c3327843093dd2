import { type OfferSource, offersOf, type StoredOffer, unconfirmedProviders } from '@moorage/database';
import { type Catalogue, catalogueOf, type Instant, ORDER_MESSAGES, providerMode } from '@moorage/domain';
import { Clock, type Reads } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

export interface OfferedCatalogue extends Catalogue {
  /** Where a provider's sizes and prices are from. */
  readonly sourceOf: (provider: string) => OfferSource;
  /** When a live provider gave its own prices last; null: never, or it is simulated. */
  readonly pricedAt: (provider: string) => Instant | null;
}

/** What this installation offers for new servers, as the rows say it now. */
@Injectable()
export class Catalogues {
  constructor(
    private readonly settings: ApiSettings,
    private readonly clock: Clock,
  ) {}

  /** `provider`: only of this one, where the request is about no other. */
  async load(reads: Reads, provider?: string): Promise<OfferedCatalogue> {
    const now = await this.clock.now(reads);
    const offers = await offersOf(reads, this.settings.clouds, {
      now,
      ...(provider === undefined ? {} : { provider }),
    });
    const unconfirmed = await unconfirmedProviders(reads);
    const stored = new Map<string, StoredOffer>(offers.map((one) => [one.offer.provider, one]));
    return {
      ...catalogueOf(offers.map(({ offer }) => offer)),
      refusalOf: (provider) =>
        unconfirmed.includes(provider) && providerMode(this.settings.clouds, provider) === 'live'
          ? ORDER_MESSAGES.provider_unconfirmed
          : null,
      sourceOf: (provider) => stored.get(provider)?.source ?? 'built_in',
      pricedAt: (provider) => stored.get(provider)?.priced_at ?? null,
    };
  }
}
