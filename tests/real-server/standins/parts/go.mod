module moorage/real-server/parts

go 1.22
