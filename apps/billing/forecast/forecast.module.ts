import { Module } from '@nestjs/common';
import { Forecast } from './forecast.service';

@Module({ providers: [Forecast], exports: [Forecast] })
export class ForecastModule {}
