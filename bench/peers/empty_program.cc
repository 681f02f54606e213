// The peer of the start-up benchmark: a static program that does nothing.
int main() {}
