module github.com/parqproof/parqproof-corpus-go

go 1.22
