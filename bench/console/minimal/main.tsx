import { createRoot } from 'react-dom/client';
import { Admin, type DataProvider, DataTable, Edit, List, Resource, SimpleForm, TextInput } from 'react-admin';

const post = { id: 1, title: 'One' };
const dataProvider = {
  getList: async () => ({ data: [post], total: 1 }),
  getOne: async () => ({ data: post }),
  update: async () => ({ data: post }),
} as unknown as DataProvider;

const PostList = () => (
  <List>
    <DataTable>
      <DataTable.Col source="title" />
    </DataTable>
  </List>
);

const PostEdit = () => (
  <Edit>
    <SimpleForm>
      <TextInput source="title" />
    </SimpleForm>
  </Edit>
);

/** Reference application with one list and one form, which `bench:console` builds with the same Vite. */
createRoot(document.getElementById('root') as HTMLElement).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource name="posts" list={PostList} edit={PostEdit} />
  </Admin>,
);
