import { createRenderer } from '@moorage/domain';
import { consoleGerman } from '@moorage/domain/german/console';
import { publicGerman } from '@moorage/domain/german/public';
import { layoutTexts } from './layout';
import { wizardTexts } from './wizard';

export const renderAll = createRenderer({
  ...publicGerman,
  ...consoleGerman,
  env: wizardTexts.env,
  status: layoutTexts.status,
});
