import { createRenderer } from '@moorage/domain';
import { publicGerman } from '@moorage/domain/german/public';

export const renderPublic = createRenderer(publicGerman);
