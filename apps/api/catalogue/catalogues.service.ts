import { type OfferSource, offersOf, type StoredOffer, unconfirmedProviders } from '@moorage/database';
import { type Catalogue, catalogueOf, type Instant, ORDER_MESSAGES, providerMode } from '@moorage/domain';
import { Clock, type Reads } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

export interface OfferedCatalogue extends Catalogue {
  /** Returns the source of a provider's sizes and prices. */
  readonly sourceOf: (provider: string) => OfferSource;
  /**
   * Returns the time at which a live provider last reported its own prices, or null if it never did or is simulated.
   */
  readonly pricedAt: (provider: string) => Instant | null;
}

/** Catalogue of this installation for new servers, as currently stored in the database. */
@Injectable()
export class Catalogues {
  constructor(
    private readonly settings: ApiSettings,
    private readonly clock: Clock,
  ) {}

  /** Loads the catalogue, restricted to `provider` for requests that concern no other provider. */
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
