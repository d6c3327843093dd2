module moorage/real-server/pangolin

go 1.21
