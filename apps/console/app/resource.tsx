import { lazy } from 'react';
import { Resource } from 'react-admin';
import type { ResourceScreens } from './screens';

/** Builds the screens of a resource, each a chunk loaded on demand. */
export function resourceOf({ resource, represents, list, show, create, edit }: ResourceScreens) {
  return (
    <Resource
      key={resource}
      name={resource}
      recordRepresentation={represents}
      list={lazy(list)}
      show={show && lazy(show)}
      create={create && lazy(create)}
      edit={edit && lazy(edit)}
    />
  );
}
