import { CLOUD_CALLBACKS_PATH } from '@moorage/contracts';
import type { CloudName } from '@moorage/domain';
import { Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import type { CallbackSource } from './callback-source';
import { CallbackSources, CloudCallbacks } from './cloud-callbacks.service';
import { CloudCallbacksController } from './cloud-callbacks.controller';
import { boundedDownload } from './download';
import { EventGridCallbacks } from './event-grid';
import { PubSubCallbacks } from './pub-sub';
import { SnsCallbacks } from './sns';

/** Callbacks of clouds and of new servers. */
@Module({
  controllers: [CloudCallbacksController],
  providers: [
    CloudCallbacks,
    {
      provide: CallbackSources,
      inject: [ApiSettings],
      useFactory: (settings: ApiSettings): CallbackSources => {
        const sources = sourcesOf(settings);
        return { of: (provider) => sources[provider] ?? null };
      },
    },
  ],
})
export class CloudCallbacksModule {}

function sourcesOf({ callbacks, publicUrl }: ApiSettings): Partial<Record<CloudName, CallbackSource>> {
  const { awsTopics, azureKey, googleAccount: account, download = boundedDownload } = callbacks;
  const audience = `${publicUrl}/api${CLOUD_CALLBACKS_PATH}/gcp`;
  return {
    ...(awsTopics.length === 0 ? {} : { aws: new SnsCallbacks(awsTopics, download) }),
    ...(azureKey === null ? {} : { azure: new EventGridCallbacks(azureKey) }),
    ...(account === null ? {} : { gcp: new PubSubCallbacks({ account, audience }, download) }),
  };
}
