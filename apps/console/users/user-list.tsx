export default function UserList() {
  return <h1>UserList</h1>;
}
