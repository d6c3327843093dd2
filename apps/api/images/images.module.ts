import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { CheckImages } from './check-images.use-case';
import { ImagesSchedule } from './images.schedule';

/** Comparison of the images in the manifests with their registries. */
@Module({ imports: [CatalogueModule], providers: [CheckImages, ImagesSchedule] })
export class ImagesModule {}
